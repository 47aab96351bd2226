"""What a web process loads to ask queries: no engine."""

import subprocess
import sys


def test_the_client_loads_no_engine() -> None:
    code = "import sys, loom.serve.routes.sparql, loom_adapters.sparql.client; print('pyoxigraph' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
