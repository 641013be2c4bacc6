"""Emacs with eglot and the line of the guide, in batch mode."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.editor, pytest.mark.heavy]

ROOT = Path(__file__).parents[2]
SECONDS = 180
SCRIPT = r"""
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")) (add-to-list 'load-path folder))
(require 'eglot)
(require 'flymake)
(define-derived-mode feature-mode text-mode "Feature")
(add-to-list 'auto-mode-alist '("\\.feature\\'" . feature-mode))
%s
(setq vc-handled-backends nil)
(setq-default indent-tabs-mode nil tab-width 2)
(find-file "%s")
(apply #'eglot--connect (eglot--guess-contact))
(flymake-mode 1)
(defun wait-for (condition)
  (let ((end (+ (float-time) %d)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.1)
      (sit-for 0.05))
    (or (funcall condition) (kill-emacs 1))))
(wait-for (lambda () (flymake-start) (flymake-diagnostics)))
(dolist (one (flymake-diagnostics))
  (princ (format "%%d %%s\n" (line-number-at-pos (flymake-diagnostic-beg one)) (flymake-diagnostic-text one))))
(goto-char (point-max))
(insert "    And I am logged")
(eglot--signal-textDocument/didChange)
(princ (format "complete %%S\n" (all-completions "I am logged" (nth 2 (eglot-completion-at-point)))))
(eglot-format-buffer)
(princ (format "formatted %%S\n" (buffer-substring (line-beginning-position) (line-end-position))))
(eglot-shutdown (eglot-current-server))
"""


def test_findings_completion_and_formatting(webshop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    emacs = shutil.which("emacs")
    if emacs is None or not list(Path("/usr/share/emacs/site-lisp").glob("elpa/eglot-*")):
        pytest.skip("no Emacs with eglot on this machine; Debian has emacs-nox and elpa-eglot")
    readme = (ROOT / "editors" / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^\(add-to-list 'eglot-server-programs .*$", readme, re.MULTILINE)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CUKEREUSE_OFFLINE", "1")
    script = tmp_path / "try.el"
    script.write_text(SCRIPT % (line, webshop / "features" / "checkout.feature", SECONDS), encoding="utf-8")
    command = [emacs, "--batch", "-l", str(script)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=2 * SECONDS, check=False)
    assert ran.returncode == 0, ran.stderr
    output = ran.stdout
    assert re.search(r"^17 .*“I should see the message \"Your basket is empty\"”", output, re.MULTILINE), ran.stderr
    assert "complete (" in output
    assert 'I am logged in as \\"' in output
    assert 'formatted "    And I am logged' in output
