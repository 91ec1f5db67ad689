import { CountersignError } from '@countersign/protocol'
import type { Device, DeviceIds } from './Device.ts'

/** What a device is may be said once. */
export function checkFixed(own: Device, ids: DeviceIds): void {
  for (const name of ['installationId', 'deviceType'] as const) {
    if (ids[name] !== undefined && own[name] !== null && own[name] !== ids[name]) {
      throw new CountersignError('FieldMayNotChange', `${name} may not be changed in this operation`)
    }
  }
}
