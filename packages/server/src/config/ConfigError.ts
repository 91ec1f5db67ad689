/** The server cannot start as configured; the message says which setting and how to fix it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
