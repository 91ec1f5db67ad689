import type { LineHandlers, LiveLine } from './LiveWire.ts'

/** Opens a WebSocket of the browser. */
export function dialWebSocket(url: string, { onOpen, onMessage, onClose }: LineHandlers): LiveLine {
  const socket = new WebSocket(url)
  let isOver = false
  const end = (reason: string) => {
    if (isOver) return
    isOver = true
    onClose(reason)
  }
  socket.addEventListener('open', () => {
    if (!isOver) onOpen()
  })
  socket.addEventListener('message', ({ data }) => {
    if (!isOver && typeof data === 'string') onMessage(data)
  })
  socket.addEventListener('error', () => end('The WebSocket failed.'))
  socket.addEventListener('close', ({ code, reason }) => end(`It was closed with ${code}${reason && `: ${reason}`}.`))
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close() {
      isOver = true
      socket.close()
    },
  }
}
