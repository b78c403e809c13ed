# Read by CMake when it enters llama.cpp's own project. The Python package forces the library of
# llama.cpp's command-line tools to be built, which it never loads and which takes half of the time.
set(LLAMA_BUILD_COMMON OFF)
