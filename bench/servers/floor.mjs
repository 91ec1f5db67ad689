import { createServer } from 'node:http'

const text = JSON.stringify({ status: 'ok' })
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(text.length) }

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(text)
})
server.listen(Number(process.env.PORT), '127.0.0.1')

process.once('SIGTERM', () => server.close(() => process.exit(0)))
