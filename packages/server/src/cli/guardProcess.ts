import { resolve } from 'node:path'
import type { Logger } from 'pino'

/**
 * Keeps the server up where code of the application fails with nobody waiting for it: a promise that it forgot, or a
 * throw in a timer of its own. What fails in the server itself still ends it, since its state is no longer known.
 */
export function guardProcess(log: Logger, cloud: string): void {
  const folder = resolve(cloud)
  const isOfApplication = (error: unknown) => error instanceof Error && (error.stack ?? '').includes(folder)
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'a promise failed that nobody waited for')
  })
  process.on('uncaughtException', (error) => {
    if (isOfApplication(error)) return log.error({ err: error }, 'code of the application failed on its own')
    log.fatal({ err: error }, 'the server failed')
    process.stderr.write(`\n${error instanceof Error ? error.stack : String(error)}\n\n`)
    process.exit(1)
  })
}
