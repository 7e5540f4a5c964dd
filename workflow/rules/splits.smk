# Queries and candidates are drawn once for all settings; a setting decides what trains.


rule draw:
    input:
        bags=expand(BAGS, language=sorted(LANGUAGES)),
    output:
        directory(f"{RESULTS}/draws/{{repetition}}"),
    log:
        f"{RESULTS}/logs/draws/{{repetition}}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("draw"),
    params:
        code=lambda w: code("draw.py"),
        languages=sorted(LANGUAGES),
        made_with=lambda w: MADE_WITH.draw(int(w.repetition)),
    script:
        "../scripts/draw.py"


rule setting:
    input:
        bags=of_languages(BAGS),
        draw=rules.draw.output[0],
    output:
        directory(f"{RESULTS}/settings/{{setting}}/{{repetition}}"),
    log:
        f"{RESULTS}/logs/settings/{{setting}}/{{repetition}}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("setting"),
    params:
        code=lambda w: code("setting.py"),
        languages=lambda w: languages_of(w.setting),
        names=lambda w: {
            "setting": w.setting,
            "series": SETTINGS[w.setting].series,
            "kind": SETTINGS[w.setting].kind,
            "repetition": int(w.repetition),
        },
        sizes=config["splits"],
        pairs=lambda w: SETTINGS[w.setting].pairs,
        cut=lambda w: cut_of(w.setting),
        seed=lambda w: draw_seed(config, int(w.repetition)),
    script:
        "../scripts/setting.py"
