import type { ClientBase } from 'pg'

/** The settings that the reading of values leans on, whatever the server's defaults are. */
export const prepareSession = async (client: ClientBase): Promise<void> => {
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'")
}
