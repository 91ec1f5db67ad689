import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { appId, masterKey } from './startCluster.ts'

type Sent = { body: Record<string, unknown>; tries: number }

const longest = 8_000
const patience = 90_000

/** A request that is repeated, on any server, until it gets a response. Its id makes it run once. */
export async function sendPatiently(url: () => string, method: string, path: string, body: object): Promise<Sent> {
  const id = randomUUID()
  const until = Date.now() + patience
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(`${url()}/server${path}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          'X-Parse-Application-Id': appId,
          'X-Parse-Master-Key': masterKey,
          'X-Parse-Request-Id': id,
        },
        ...(method !== 'GET' && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(longest),
      })
      const text = await response.text()
      if (response.status < 400) return { body: JSON.parse(text), tries }
      if (response.status < 500) throw new Refused(`${method} ${path}: ${response.status} ${text}`)
      throw new Error(text)
    } catch (error) {
      if (error instanceof Refused || Date.now() > until) throw error
      await pause(50 + Math.random() * 200)
    }
  }
}

class Refused extends Error {}
