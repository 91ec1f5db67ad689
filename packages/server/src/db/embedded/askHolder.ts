import { createConnection } from 'node:net'
import { socketPath } from './socketPath.ts'

/** Who a socket in the folder belongs to, as its process tells it. */
export type Holder = { state: 'owns' | 'contends'; pid: number; host: string; since: string }

export type Asked = { alive: false } | { alive: true; holder: Holder | undefined }

const ANSWER_WITHIN = 1_000

const parseHolder = (text: string): Holder | undefined => {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

/**
 * Whether a process still listens on the socket. The kernel answers for it, so it counts even where the process is
 * too busy to speak, and a process id that was given out again, or that another container counts, deceives nobody.
 */
export const askHolder = (folder: string, name: string): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const { path, done } = socketPath(folder, name)
    const socket = createConnection(path)
    let connected = false
    let text = ''
    const settle = (act: () => void) => {
      clearTimeout(timer)
      socket.destroy()
      act()
    }
    const answer = () => settle(() => resolve({ alive: true, holder: parseHolder(text) }))
    const timer = setTimeout(answer, ANSWER_WITHIN)
    done()
    socket.setEncoding('utf8')
    socket.on('connect', () => {
      connected = true
    })
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', answer)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (connected || error.code === 'EAGAIN') return answer()
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') return settle(() => resolve({ alive: false }))
      settle(() => reject(error))
    })
  })
