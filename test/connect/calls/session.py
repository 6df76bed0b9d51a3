"""The session and its configuration."""
from calls.asking import call


@call
def version(s, F, T):
    return s.version.split(".")[:2]


@call
def conf_default(s, F, T):
    return s.conf.get("spark.sql.ansi.enabled"), s.conf.get("spark.sql.timestampType")


@call
def conf_client_keys(s, F, T):
    return [s.conf.get(key) for key in (
        "spark.sql.execution.arrow.useLargeVarTypes", "spark.sql.session.localRelationCacheThreshold",
        "spark.sql.session.localRelationSizeLimit", "spark.sql.session.localRelationChunkSizeRows")]


@call
def conf_set_and_get(s, F, T):
    s.conf.set("my.own.key", "7")
    return s.conf.get("my.own.key")


@call
def conf_unset(s, F, T):
    s.conf.set("my.own.key", "7")
    s.conf.unset("my.own.key")
    return s.conf.get("my.own.key", "none")


@call
def conf_unknown(s, F, T):
    return s.conf.get("no.such.key")


@call
def conf_with_default(s, F, T):
    return s.conf.get("no.such.key", "x")


@call
def conf_static_is_not_modifiable(s, F, T):
    return s.conf.isModifiable("spark.sql.warehouse.dir"), s.conf.isModifiable("spark.sql.ansi.enabled")


@call
def conf_set_static(s, F, T):
    s.conf.set("spark.sql.warehouse.dir", "/tmp/x")


@call
def conf_bad_value(s, F, T):
    s.conf.set("spark.sql.ansi.enabled", "perhaps")
