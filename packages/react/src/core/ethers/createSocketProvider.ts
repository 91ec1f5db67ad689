import type { Eip1193Provider } from '../wallet/Eip1193Provider.ts'

type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }

/** JSON-RPC by WebSocket. It connects when it is first asked, and again when it is asked after the connection was lost. */
export function createSocketProvider(url: string): Eip1193Provider {
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const waiting = new Map<number, Waiting>()
  let opening: Promise<WebSocket> | undefined
  let count = 0

  function open(): Promise<WebSocket> {
    opening ??= new Promise((resolve, reject) => {
      const socket = new WebSocket(url)
      const fail = () => {
        const error = Object.assign(new Error(`The node at ${new URL(url).host} is not connected.`), { code: 4900 })
        opening = undefined
        reject(error)
        for (const { reject } of waiting.values()) reject(error)
        waiting.clear()
      }
      socket.addEventListener('open', () => resolve(socket))
      socket.addEventListener('error', fail)
      socket.addEventListener('close', fail)
      socket.addEventListener('message', ({ data }) => settle(data))
    })
    return opening
  }

  function settle(text: unknown): void {
    const { id, method, params, result, error } = readAnswer(text)
    if (method === 'eth_subscription') {
      for (const listener of listeners.get('message') ?? []) listener({ type: method, data: params })
    }
    const call = waiting.get(Number(id))
    if (!call) return
    waiting.delete(Number(id))
    if (error) call.reject(Object.assign(new Error(error.message), error))
    else call.resolve(result)
  }

  return {
    async request({ method, params = [] }) {
      const socket = await open()
      const id = ++count
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      })
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
  }
}

type Answer = {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message?: string }
}

function readAnswer(text: unknown): Answer {
  try {
    return Object(JSON.parse(String(text)))
  } catch {
    return {}
  }
}
