/** A device as its row tells it apart from others. */
export type Device = {
  objectId: string
  installationId: string | null
  deviceToken: string | null
  deviceType: string | null
}

/** What a request says of it. */
export type DeviceIds = {
  installationId: string | undefined
  deviceToken: string | undefined
  deviceType: string | undefined
}
