"""A real local server, a real cloud behind TLS, and the configuration that joins them."""
from . import certificates, llama, places
from .processes import wait_until

THRESHOLD = 2000
LOCAL_CONTEXT = 4096
LOCAL_KEY = "local-key-canary-1"
CLOUD_KEY = "cloud-key-canary-2"
CLIENT_KEY = "client-key-canary-3"
LOCAL_MODEL = "Qwen3.5-tiny"
CLOUD_MODEL = "claude-3-5-sonnet"


def tables(local_url, cloud_url, ca_file, **routing):
    """The skeleton that users copy, with these two servers in it."""
    return {
        "provider.cloud": {"base_url": cloud_url, "api_key": CLOUD_KEY, "ca_file": str(ca_file), "timeout": 60},
        "provider.cloud.models": {"long_context": CLOUD_MODEL, "fast_chat": "gpt-4o-mini"},
        "local.llamacpp": {"base_url": local_url + "/v1", "api_key": LOCAL_KEY, "model": LOCAL_MODEL},
        "routing": {"threshold_tokens": THRESHOLD, "long_route": "cloud", "short_route": "local", **routing},
    }


def local_server(name="local", **options):
    options = {"context": LOCAL_CONTEXT, "alias": LOCAL_MODEL, "api_key": LOCAL_KEY, **options}
    return llama.LlamaServer(name, **options)


def cloud_server():
    authority = certificates.Authority(places.work_dir() / "ca")
    pair = authority.issue("localhost", "cloud.test")
    return llama.LlamaServer("cloud", context=32768, alias=CLOUD_MODEL, api_key=CLOUD_KEY, certificate=pair,
                             authority=authority)


def wait_for_context(weir):
    """Until weir has asked the local server how long its context is and how many slots it has."""
    wait_until(lambda: b"ready" in weir.call("/weir/status").body, 10, "weir sees its local server as ready")
