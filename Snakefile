# So that plain `snakemake` works from the top; everything is in workflow/.
include: "workflow/Snakefile"


# The default target of an included file does not count.
rule default:
    default_target: True
    input:
        rules.all.input,
