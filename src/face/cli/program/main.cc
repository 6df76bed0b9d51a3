#include "face/cli/command_line.h"

int main(int argc, char** argv) { return weir::cli::RunProgram(argc, argv); }
