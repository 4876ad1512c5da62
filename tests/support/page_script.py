"""Scripts of the pages, run by Node without a browser: `/page/…` is the folder of the pages."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

from baccarat.serve.route.page import PAGES

BEGIN = """
import { register } from "node:module";
const hook = `export const resolve = (name, context, next) => next(name.startsWith("/page/")
  ? new URL(name.slice(6), ${JSON.stringify(process.argv[2])}).href : name, context);
const isOurs = (url) => url.startsWith("file:") && url.endsWith(".js");
export const load = (url, context, next) => next(url, isOurs(url) ? { ...context, format: "module" } : context);`;
register("data:text/javascript," + encodeURIComponent(hook));
"""
END = """
process.stdout.write(JSON.stringify(found), () => process.exit(0)); // a long text is written in parts
"""


def run_page_script(script: str) -> Any:
    """What a script leaves in `found`; it imports files of the pages as a page does, by `await import`."""
    node = shutil.which("node")
    assert node is not None, "Node is needed to run the scripts of the pages"
    made = subprocess.run(
        [node, "--no-warnings", "--input-type=module", "-", f"{PAGES.as_uri()}/"],
        input=BEGIN + script + END,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)
