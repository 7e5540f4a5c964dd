"""The names of this package's systems, tasks and sources, and the class of each.

A class is named as `module:Class`, its module from the package that holds the parts of its kind.
"""

import re

LOADED = "cr5_loaded_"  # before the name of a module that was imported from its file
BEFORE = re.compile(f"^{LOADED}[0-9a-f]{{8}}_")  # with the checksum of its path

SYSTEMS = {
    "advrefine": "maps.advrefine:AdvRefine",
    "bae": "networks.bae:Bae",
    "best": "ridge.best:Best",
    "bm25": "baselines.bm25:Bm25",
    "bm25_translated": "baselines.bm25_translated:Bm25Translated",
    "bwesg": "baselines.bwesg:Bwesg",
    "cl_esa": "projections.cl_esa:ClEsa",
    "cl_lsi": "projections.cl_lsi:ClLsi",
    "cplsa": "topics.cplsa:Cplsa",
    "cr5": "ridge.cr5:Cr5",
    "cr5_spelling": "ridge.cr5_spelling:Cr5Spelling",
    "document_cca": "projections.document_cca:DocumentCca",
    "e5_small": "encoders.e5_small:E5Small",
    "encoder": "encoders.encoder:Encoder",
    "icp": "maps.icp:Icp",
    "jplsa": "topics.jplsa:Jplsa",
    "least_squares": "maps.least_squares:LeastSquares",
    "lexical_overlap": "baselines.lexical_overlap:LexicalOverlap",
    "mono_xcnn": "networks.mono_xcnn:MonoXcnn",
    "multicca": "maps.multicca:Multicca",
    "opca": "projections.opca:Opca",
    "pltm": "topics.pltm:Pltm",
    "prefix_overlap": "baselines.prefix_overlap:PrefixOverlap",
    "pretrained": "encoders.pretrained:Pretrained",
    "procrustes": "maps.procrustes:Procrustes",
    "rcsls": "maps.rcsls:Rcsls",
    "s2net": "networks.s2net:S2net",
    "sogaard": "projections.sogaard:Sogaard",
    "use_multilingual": "encoders.use_multilingual:UseMultilingual",
    "vecmap_self_learning": "maps.vecmap_self_learning:VecmapSelfLearning",
    "vecmap_supervised": "maps.vecmap_supervised:VecmapSupervised",
    "vecmap_unsupervised": "maps.vecmap_unsupervised:VecmapUnsupervised",
    "wasserstein": "maps.wasserstein:Wasserstein",
    "word_by_word": "baselines.word_by_word:WordByWord",
    "word_cca": "maps.word_cca:WordCca",
    "xcnn": "networks.xcnn:Xcnn",
}
TASKS = {
    "ad_hoc": "ad_hoc:AdHoc",
    "classification": "classification:Classification",
    "documents": "documents:Documents",
    "lexicon_induction": "lexicon_induction:LexiconInduction",
    "sentences": "sentences:Sentences",
}
SOURCES = {
    "debian_documentation": "debian_documentation:DebianDocumentation",
    "europarl": "europarl:Europarl",
    "files": "files:Files",
    "folders": "folders:Folders",
    "libreoffice_help": "libreoffice_help:LibreofficeHelp",
    "matrix": "matrix:Matrix",
    "wikipedia": "wikipedia:Wikipedia",
}
