#pragma once

/// Changes of table metadata, as pure functions of the metadata before. Thread rule: pure functions.
/// Spec: Iceberg v2, "Schema Evolution", "Partition Evolution", "Table Metadata Fields".

#include <string>
#include <vector>

#include "table/iceberg/table_metadata.h"

namespace weir::iceberg {

/// What a new table is made of. Ids in `schema` are ignored; `partitioning` names columns by path.
struct NewTable {
  std::string uuid;
  std::string location;
  Schema schema;
  struct Partitioning {
    std::vector<std::string> column;
    Transform transform;
    std::string name;  ///< Empty: the default.
  };
  std::vector<Partitioning> partitioning;
  Properties properties;
  int64_t now_ms = 0;
};

/// Metadata of a table without rows. Small integers are stored as int; field ids are fresh.
/// Errors: kInvalid for names, columns and partitioning; kUnsupported for types and format versions.
Result<TableMetadata> MakeTableMetadata(const NewTable& table);

/// Applies partition spec and properties, in this order. New partition fields have id 0 and may lack a name.
/// Errors: kInvalid, kUnsupported naming column or property; kCorrupt if no id is left for the spec.
Status ApplySchemaChange(const table::SchemaChange& change, TableMetadata& metadata);

/// Whether rows written with schema `from` can be read with `to`, as if the one had become the other by
/// changes that are safe: columns may be added (optional only), dropped, renamed, reordered, made optional,
/// and promoted: int to long, float to double, decimal to more digits. Errors: kInvalid naming the column.
Status CheckEvolution(const Schema& from, const Schema& to);

/// Adds a snapshot, makes it current and the head of main.
void AddSnapshot(SnapshotRecord snapshot, TableMetadata& metadata);

/// Records the file that held the metadata before, and trims the log. Returns the files that fell out of it.
/// Errors: kInvalid for a property that is not a number.
Result<std::vector<std::string>> LogMetadataFile(const MetadataLogEntry& previous, TableMetadata& metadata);

/// The type that stores values of a Spark type. Errors: kUnsupported naming the type.
Result<Type> StoredType(const Type& type);

}  // namespace weir::iceberg
