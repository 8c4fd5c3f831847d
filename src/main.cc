#include "weir/cli/run.h"

int main(int argc, char** argv) {
  return weir::cli::run(argc, argv);
}
