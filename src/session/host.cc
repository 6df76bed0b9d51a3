#include "session/host.h"

#include "session/wiring.h"

namespace weir::session {

Result<std::shared_ptr<const Host>> Host::Open(const HostOptions& options) {
  WEIR_TRY(Conf conf, Conf::Make(options.conf));
  Clock& clock = options.clock != nullptr ? *options.clock : SystemClock();
  Random& random = options.random != nullptr ? *options.random : SystemRandom();
  std::shared_ptr<Host> host(new Host(std::move(conf), clock, random));
  host->stores_ = std::make_shared<const Stores>(MakeStores(options.local_storage, clock, random));
  WEIR_TRY(const exec::EngineOptions engine, host->conf_.EngineFrom(options.engine));
  WEIR_TRY(host->engine_, exec::Engine::Open(engine, *host->stores_));
  return std::shared_ptr<const Host>(std::move(host));
}

}  // namespace weir::session
