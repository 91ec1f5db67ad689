import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { startGates } from '../chain/gates/startGates.ts'
import { startIndexer } from '../chain/index/startIndexer.ts'
import { endFetcher } from '../chain/nft/getFetcher.ts'
import { getChains } from '../chain/nodes/getChains.ts'
import type { Context } from '../context/Context.ts'
import { type ContextOptions, closeContext, createContext } from '../context/createContext.ts'
import { startCloud } from '../functions/startCloud.ts'
import { startRunner } from '../jobs/startRunner.ts'
import type { Live } from '../live/Live.ts'
import { startLive } from '../live/startLive.ts'
import { startRemoteCode } from '../webhooks/older/startRemoteCode.ts'
import { startCourier } from '../webhooks/startCourier.ts'
import { createServer } from './createServer.ts'
import { registerSockets } from './registerSockets.ts'
import { sweep } from './sweep.ts'

export type RunningServer = {
  app: FastifyInstance
  context: Context
  live: Live
  port: number
  /** Takes no new requests, finishes those under way, and closes the database. */
  stop(): Promise<void>
}

/** Starts the server: database, migrations, HTTP. */
export async function startServer(options: ContextOptions): Promise<RunningServer> {
  const context = await createContext(options)
  let endCloud = async () => {}
  let endLive = async () => {}
  let endIndexer = async () => {}
  try {
    const endRemoteCode = await startRemoteCode(context)
    const app = await createServer(context)
    const live = await startLive(context)
    endLive = live.stop
    registerSockets(app, context, live)
    // After the handlers: code may read and write while it is loaded.
    endCloud = await startCloud(context)
    endIndexer = (await startIndexer(context, getChains(context))).stop
    await app.listen({ port: context.config.port, host: context.config.host })
    const { port } = app.server.address() as AddressInfo
    if (!context.config.publicUrl) context.publicUrl = `http://localhost:${port}`
    const endSweep = sweep(context)
    const runner = await startRunner(context)
    const courier = await startCourier(context)
    const gates = await startGates(context, getChains(context))
    const stop = async () => {
      endSweep()
      endFetcher(context)
      // A connection that was in use when the stop began is kept alive after its answer; it must not hold the stop up.
      const letGo = setInterval(() => app.server.closeIdleConnections(), 20)
      await Promise.all([live.stop(), runner.stop(), courier.stop(), gates.stop(), endIndexer(), app.close()]).finally(
        () => clearInterval(letGo),
      )
      await endRemoteCode()
      await endCloud()
      await closeContext(context, options)
    }
    return { app, context, live, port, stop }
  } catch (error) {
    await endLive()
    await endIndexer()
    await endCloud()
    await closeContext(context, options)
    throw error
  }
}
