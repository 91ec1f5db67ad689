import type { ConfigInput } from '../../config/Config.ts'
import { openDatabase } from '../../db/openDatabase.ts'
import { createTestServer, type TestServer } from '../createTestServer.ts'
import { openTestDatabase } from '../openTestDatabase.ts'

export type ThreeServers = { servers: [TestServer, TestServer, TestServer]; stop(): Promise<void> }

/** Three servers on one PostgreSQL database and under one public URL, as behind a load balancer. */
export async function startThree(config: ConfigInput = {}): Promise<ThreeServers> {
  const database = await openTestDatabase()
  const { databaseUrl } = database
  const open = () => openDatabase({ databaseUrl, dataFolder: 'memory://' })
  const [secondDb, thirdDb] = [await open(), await open()]
  const first = await createTestServer(config, database)
  const { publicUrl } = first.context
  const second = await createTestServer({ ...config, publicUrl }, { ...database, db: secondDb })
  const third = await createTestServer({ ...config, publicUrl }, { ...database, db: thirdDb })
  return {
    servers: [first, second, third],
    async stop() {
      for (const server of [first, second, third]) await server.stop()
      for (const db of [secondDb, thirdDb]) await db.close()
      await database.close()
    },
  }
}
