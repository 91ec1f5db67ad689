import { type Client, initialize } from '@countersign/react/core'
import { configStore } from './configStore.ts'
import { fetchConfig } from './fetchConfig.ts'
import { followLanguage } from './followLanguage.ts'

/** Reads the configuration, then initializes the session layer with it. May be called again after a failure. */
export async function startSession(client: Client): Promise<void> {
  configStore.set({ status: 'pending' })
  try {
    const [config] = await Promise.all([fetchConfig(), followLanguage()])
    configStore.set({ status: 'ready', config })
    const { appId, serverUrl, javascriptKey, demoWallet } = config
    // A failure is kept in the client's initialization state, where the page shows it.
    await initialize(client, { appId, serverUrl, javascriptKey, demoWallet }, { onError: () => {} })
  } catch (error) {
    configStore.set({ status: 'error', reason: error instanceof Error ? error.message : String(error) })
  }
}
