"""The catalog interface."""
from calls.asking import call
from calls.data import fresh


@call
def catalog_current(s, F, T):
    return s.catalog.currentCatalog(), s.catalog.currentDatabase()


@call
def catalog_exists(s, F, T):
    table = fresh(s, "there")
    c = s.catalog
    return (c.tableExists(table), c.tableExists("cat.wr.not_there"), c.databaseExists("cat.wr"),
            c.databaseExists("cat.not_there"), c.functionExists("upper"), c.functionExists("not_there"))


@call
def catalog_columns(s, F, T):
    table = fresh(s, "columns", "a bigint not null, b array<string>, c decimal(10,2)")
    return s.catalog.listColumns(table)


@call
def catalog_temp_view(s, F, T):
    s.range(1).createOrReplaceTempView("short_lived")
    c = s.catalog
    return (c.tableExists("short_lived"), c.dropTempView("short_lived"), c.dropTempView("short_lived"),
            c.tableExists("short_lived"))


@call
def catalog_use(s, F, T):
    table = fresh(s, "used")
    try:
        s.catalog.setCurrentCatalog("cat")
        s.catalog.setCurrentDatabase("wr")
        return s.catalog.currentCatalog(), s.catalog.currentDatabase(), s.table("used").columns
    finally:
        s.catalog.setCurrentCatalog("spark_catalog")
