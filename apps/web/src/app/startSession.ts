import type { RuntimeConfig } from '@countersign/protocol'
import { type Client, initialize } from '@countersign/react/core'
import { configStore } from '../config/config.ts'
import { serverClock } from '../config/serverClock.ts'
import { untilReachable } from '../config/serverReach.ts'
import { followLanguage } from '../i18n/followLanguage.ts'
import { t } from '../i18n/translate.ts'
import { toasts } from '../ui/feedback/toasts.ts'
import { hadSession, keepAccount } from './keepAccount.ts'

/** Reads the configuration, then initializes the session layer with it. May be called again after a failure. */
export async function startSession(client: Client): Promise<void> {
  configStore.set({ status: 'pending' })
  try {
    const [config] = await Promise.all([
      findConfig(),
      followLanguage(reportLanguage),
      hadSession() && keepAccount(client),
    ])
    configStore.set({ status: 'ready', config })
    const { appId, serverUrl, javascriptKey, demoWallet, demoChains } = config
    // A failure is kept in the client's initialization state, where the page shows it.
    await initialize(client, { appId, serverUrl, javascriptKey, demoWallet, demoChains }, { onError: () => {} })
  } catch (error) {
    configStore.set({ status: 'error', reason: error instanceof Error ? error.message : String(error) })
  }
}

function reportLanguage() {
  toasts.add(t('Your language could not be loaded. Reload the page to try again.'), 'danger')
}

const key = 'Countersign/config'

/** The last configuration replaces one that cannot be read: it is the same for everyone. */
async function findConfig(): Promise<RuntimeConfig> {
  try {
    const config = await fetchConfig()
    storeConfig(config)
    return config
  } catch (error) {
    const known = hadSession() && readConfig()
    if (!known) throw error
    void untilReachable()
    return known
  }
}

function storeConfig(config: RuntimeConfig): void {
  try {
    localStorage.setItem(key, JSON.stringify(config))
  } catch {
    // Storage is full or refused: the application then starts with a network only.
  }
}

function readConfig(): RuntimeConfig | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Asks the server that sent this page for its run-time configuration (D4). */
async function fetchConfig(): Promise<RuntimeConfig> {
  let response: Response
  try {
    response = await fetch('/config.json')
  } catch (cause) {
    throw new Error(t('The server did not respond.'), { cause })
  }
  if (!response.ok) {
    const status = String(response.status)
    throw new Error(t('The server returned {status} for its configuration.', { status }))
  }
  serverClock.learn(response.headers.get('Date'))
  let config: RuntimeConfig
  try {
    config = (await response.json()) as RuntimeConfig
  } catch (cause) {
    // A static host serves unknown paths with the page itself.
    throw new Error(t('The response from /config.json is not a valid configuration.'), { cause })
  }
  if (!config.appId || !config.serverUrl) throw new Error(t('The configuration has no application ID or server URL.'))
  return config
}
