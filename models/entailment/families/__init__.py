"""The architectures that can be imported: where each keeps its tensors and how it joins a pair."""
