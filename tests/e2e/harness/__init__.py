"""Parts of the end-to-end tests: real llama-servers, the real weir binary, and a plain HTTP client.

Standard library only. Every process and socket made here is ended when the test program ends.
"""
