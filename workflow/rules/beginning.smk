# The beginning of a run: alone in its folder, on notes of snakemake's that can be read.
import json
import shutil
from base64 import urlsafe_b64decode
from contextlib import suppress

from snakemake.logging import logger

from cr5.base.files import alone

IS_DRY = workflow.output_settings.dryrun

# The terminal of ./run; None if snakemake writes to the terminal itself.
TERMINAL = next(
    (x for x in workflow.logger_manager.plugin_handlers if hasattr(x, "begin")), None
)

# The lock on the results, held until the process that starts jobs ends.
LOCKS = []


def lock():
    """Keep other runs out of the results."""
    if not LOCKS:
        held = alone(RESULTS)
        held.__enter__()
        LOCKS.append(held)


def drop_cut_notes(place=Path(".snakemake/metadata")):
    """Remove notes that a full disk or a power cut has left half-written, and their results.

    Snakemake passes over such notes: the results would count as made with today's parameters.
    """
    for note in sorted(x for x in place.rglob("*") if x.is_file()):
        try:
            json.loads(note.read_bytes())
        except ValueError:
            with suppress(ValueError):
                drop(
                    note, "".join(x.lstrip("@") for x in note.relative_to(place).parts)
                )


def drop(note, name):
    """Remove a note and the result that it is of: its name, encoded; other results are left."""
    result = Path(os.path.normpath(urlsafe_b64decode(name).decode()))
    if result.is_relative_to(RESULTS):
        logger.warning(f"{result} is made again: {note}, snakemake's note, is cut off")
        if result.is_dir():
            shutil.rmtree(result)
        result.unlink(missing_ok=True)
        note.unlink()


def begin():
    """Reject a run that would fail, and give it the terminal."""
    try:
        TEXT.check()
        lock()
    except (UserError, OSError) as error:
        raise WorkflowError(str(error))
    if TERMINAL:
        TERMINAL.begin(*workflow.logger_manager.get_logfile())


# A process that snakemake starts for a job reads this too; it belongs to a run that passed.
if workflow.is_main_process and not IS_DRY and Path(RESULTS).is_dir():
    with suppress(UserError, OSError):  # told when jobs start
        lock()
        drop_cut_notes()

elif IS_DRY:
    try:
        TEXT.check()
    except UserError as error:
        logger.warning(f"A run would not start: {error}")


onstart:
    begin()
