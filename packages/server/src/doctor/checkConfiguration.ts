import type { Config } from '../config/Config.ts'
import type { Report } from './Finding.ts'

/** Settings that are allowed and nevertheless wrong, or wrong for most. */
export function checkConfiguration(config: Config, report: Report): void {
  report.ok('settings', `The settings are valid; this is ${config.production ? 'production' : 'development'}.`)

  const unusable = [...config.allowOrigin, ...config.wallet.origins].filter(
    (origin) => new URL(origin).origin !== origin,
  )
  if (unusable.length > 0) {
    report.fault(
      'origins',
      `${unusable.join(', ')} is not an origin: it has a path or a slash at its end.`,
      'A browser sends only https://host, so the entry never matches and the page is refused.',
      'Write each entry of allowOrigin and wallet.origins as scheme and host, such as https://app.example.',
    )
  }

  const open = config.masterKeyIps.filter((entry) => /\/0$/.test(entry))
  if (open.length > 0) {
    report.warning(
      'masterKeyIps',
      `The master key works from every address (${open.join(', ')}).`,
      'Anyone with the key has full access, from anywhere.',
      'Set masterKeyIps to the addresses of your own servers.',
    )
  }
  if (config.trustProxy === true) {
    report.warning(
      'trustProxy',
      'trustProxy is true: the server trusts the first address in X-Forwarded-For.',
      'A caller can fake its address to bypass rate limits and masterKeyIps, unless the proxy replaces the header.',
      'Set trustProxy to the number of your proxies, or to their addresses.',
    )
  }
  if (config.production && config.masterKey !== undefined && config.masterKey.length < 20) {
    report.warning(
      'masterKey',
      `The master key has ${config.masterKey.length} characters.`,
      'A short key can be guessed, and it gives full access.',
      'Use a random key: openssl rand -hex 32.',
    )
  }
}
