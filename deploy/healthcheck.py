"""Exit 0 when the node on this machine is ready to answer, 1 otherwise; for container health checks, standard library only."""

import os
import sys
import urllib.error
import urllib.request

URL = f"http://127.0.0.1:{os.environ.get('LOOM_PORT', '8080')}/health/ready"

try:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(URL, timeout=3) as answer:
        sys.exit(0 if answer.status == 200 else 1)
except (urllib.error.URLError, OSError) as problem:
    sys.exit(f"{URL}: {problem}")
