"""Load a chat model with llama.cpp, write a few tokens, and print what it took as JSON.

Called as `python prove_chat.py MODEL.gguf`, in a process of its own: GGML may abort.
"""

import json
import sys
import time


def main(model: str) -> int:
    """Exit status 0 if the model in the file `model` wrote at least one token."""
    from llama_cpp import Llama

    begun = time.monotonic()
    llama = Llama(model_path=model, n_ctx=256, n_threads=2, seed=0, verbose=False)
    answer = llama.create_completion("The sky is", max_tokens=8, temperature=0.0)
    tokens = answer["usage"]["completion_tokens"]
    seconds = time.monotonic() - begun
    print(json.dumps({"tokens": tokens, "seconds": seconds, "text": answer["choices"][0]["text"]}))
    return 0 if tokens > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
