import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('../../apps/counterpart.mjs', import.meta.url))

export type Counterpart = {
  relayUrl: string
  /** Has the wallet, or the relay, do something. */
  act: <Result = unknown>(name: string, ...parameters: unknown[]) => Promise<Result>
  stop: () => void
}

type Answer = { id?: number; relayUrl?: string; result?: unknown; error?: string }

/** A relay of WalletConnect and a wallet behind it, in a process of their own. */
export async function startCounterpart(): Promise<Counterpart> {
  const child = fork(file, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const waiting = new Map<number, (answer: Answer) => void>()
  let asked = 0
  const relayUrl = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The counterpart ended with ${code}.`)))
    child.on('message', (message) => {
      const answer = message as Answer
      if (answer.relayUrl) resolve(answer.relayUrl)
      if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
    })
  })
  return {
    relayUrl,
    act: <Result>(act: string, ...parameters: unknown[]) =>
      new Promise<Result>((resolve, reject) => {
        asked += 1
        waiting.set(asked, ({ result, error }) => (error ? reject(new Error(error)) : resolve(result as Result)))
        child.send({ id: asked, act, parameters })
      }),
    stop: () => child.kill(),
  }
}
