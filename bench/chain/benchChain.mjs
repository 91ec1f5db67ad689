import { setTimeout as sleep } from 'node:timers/promises'

/** The chain that the workloads read: about 200 transfers of each account. */
export const benchChain = { blocks: 501, logs: 20, accounts: 100, tokens: 50, chainId: 31_337 }

/**
 * Waits until the competitor has indexed it.
 *
 * @param {import('../types.d.ts').Target} target
 * @param {{ send: import('../types.d.ts').Send }} tools
 */
export async function prepareChain({ mount, applicationId }, { send }) {
  const headers = { 'X-Parse-Application-Id': applicationId }
  for (let tries = 0; tries < 300; tries++) {
    const { status, body } = await send({ method: 'GET', path: `${mount}/chain/${benchChain.chainId}`, headers })
    if (status !== 200) throw new Error(`no chain: ${body}`)
    const { index } = JSON.parse(body)
    if (index?.status === 'SYNCED' && index.block >= benchChain.blocks - 1) return
    await sleep(200)
  }
  throw new Error('The chain was not indexed within a minute.')
}
