//! The local model: weights on disk, a llama.cpp server of our own.
