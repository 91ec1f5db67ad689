import type { Config } from '../config/Config.ts'
import { readAddresses } from '../db/postgres/readAddresses.ts'

const shortest = 4
/** Shorter parts of a path are words, such as `mainnet`. */
const shortestKey = 8

/** Removes the secrets of the configuration from a text: a response from elsewhere may quote what was sent to it. */
export function createRedactor(config: Config): (text: string) => string {
  const secrets = [
    config.masterKey,
    config.formerMasterKey,
    config.readOnlyMasterKey,
    config.javascriptKey,
    config.restAPIKey,
    config.clientKey,
    config.webhookKey,
    config.metrics?.token,
    config.ipfs?.authorization,
    config.files.s3?.secretAccessKey,
    config.files.s3?.sessionToken,
    ...[config.databaseUrl, config.directDatabaseUrl, config.replicaUrl].flatMap(secretsOfDatabase),
    ...secretsOfUrl(config.smtp?.url),
    ...config.chains.flatMap(({ rpcUrls }) => rpcUrls).flatMap(secretsOfNode),
  ].filter((secret) => secret !== undefined && secret.length >= shortest)
  // The longest first: one may be a part of another.
  const sorted = [...new Set(secrets as string[])].toSorted((one, other) => other.length - one.length)
  return (text) => sorted.reduce((redacted, secret) => redacted.replaceAll(secret, '[secret]'), text)
}

function secretsOfUrl(url: string | undefined): string[] {
  if (!url || !URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, decodeURIComponent(password)]
}

function secretsOfDatabase(url: string | undefined): string[] {
  if (url === undefined) return []
  try {
    return readAddresses(url).flatMap(secretsOfUrl)
  } catch {
    return []
  }
}

/** Keys of nodes are in the path or the query. */
function secretsOfNode(url: string): string[] {
  const { pathname, search } = new URL(url)
  const parts = pathname.split('/').filter((part) => part.length >= shortestKey)
  return [...secretsOfUrl(url), ...parts, ...new URLSearchParams(search).values()]
}
