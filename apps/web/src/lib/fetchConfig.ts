import type { RuntimeConfig } from '@countersign/protocol'
import { say } from './say.ts'
import { serverClock } from './serverClock.ts'

/** Asks the server that sent this page for its run-time configuration (D4). */
export async function fetchConfig(): Promise<RuntimeConfig> {
  let response: Response
  try {
    response = await fetch('/config.json')
  } catch (cause) {
    throw new Error(say('The server did not answer.'), { cause })
  }
  if (!response.ok) {
    const status = String(response.status)
    throw new Error(say('The server answered {status} when asked for its configuration.', { status }))
  }
  serverClock.learn(response.headers.get('Date'))
  let config: RuntimeConfig
  try {
    config = (await response.json()) as RuntimeConfig
  } catch (cause) {
    // A static host answers unknown paths with the page itself.
    throw new Error(say('The answer of /config.json is not a configuration.'), { cause })
  }
  if (!config.appId || !config.serverUrl)
    throw new Error(say('The configuration names no application id or server address.'))
  return config
}
