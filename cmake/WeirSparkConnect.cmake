# The messages and the service of Spark Connect, generated from the descriptors that scripts/setup fetched: no .proto of
# Spark is kept here. One static library, included as a system header.
set(WEIR_CONNECT_DIR ${CMAKE_SOURCE_DIR}/.deps/spark-connect-4.2.0 CACHE PATH "Folder with spark.desc and google/rpc/")
set(WEIR_CONNECT_FILES types common expressions catalog relations ml_common ml pipelines commands base)

find_package(Protobuf REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(GRPC REQUIRED IMPORTED_TARGET grpc++)

set(generated ${CMAKE_BINARY_DIR}/spark_connect)
set(sources ${generated}/google/rpc/status.pb.cc ${generated}/google/rpc/error_details.pb.cc
            ${generated}/spark/connect/base.grpc.pb.cc)
set(protos)
foreach(file IN LISTS WEIR_CONNECT_FILES)
  list(APPEND sources ${generated}/spark/connect/${file}.pb.cc)
  list(APPEND protos spark/connect/${file}.proto)
endforeach()
file(MAKE_DIRECTORY ${generated})
add_custom_command(
  OUTPUT ${sources}
  DEPENDS ${WEIR_CONNECT_DIR}/spark.desc
  COMMAND ${Protobuf_PROTOC_EXECUTABLE} -I${Protobuf_INCLUDE_DIR} --include_imports
          --descriptor_set_out=${generated}/google.desc google/protobuf/any.proto google/protobuf/timestamp.proto
  COMMAND ${Protobuf_PROTOC_EXECUTABLE} -I${WEIR_CONNECT_DIR} -I${Protobuf_INCLUDE_DIR} --cpp_out=${generated}
          google/rpc/status.proto google/rpc/error_details.proto
  COMMAND ${Protobuf_PROTOC_EXECUTABLE} --descriptor_set_in=${generated}/google.desc:${WEIR_CONNECT_DIR}/spark.desc
          --cpp_out=${generated} ${protos}
  COMMAND ${Protobuf_PROTOC_EXECUTABLE} --descriptor_set_in=${generated}/google.desc:${WEIR_CONNECT_DIR}/spark.desc
          --grpc_out=${generated} --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN} spark/connect/base.proto
  VERBATIM)
add_library(weir_third_party_connect STATIC ${sources})
target_include_directories(weir_third_party_connect SYSTEM PUBLIC ${generated})
# Generated code: its speed does not matter, the time to compile it does. Sanitizers see it as they see a library.
target_compile_options(weir_third_party_connect PRIVATE -w -O1 -fno-sanitize=all)
# Requests are read there: see the header.
set_source_files_properties(${generated}/spark/connect/base.grpc.pb.cc PROPERTIES
  COMPILE_OPTIONS "-include;${CMAKE_SOURCE_DIR}/src/face/connectd/deep_messages.h"
  OBJECT_DEPENDS ${CMAKE_SOURCE_DIR}/src/face/connectd/deep_messages.h)
target_link_libraries(weir_third_party_connect PUBLIC protobuf::libprotobuf PkgConfig::GRPC)
