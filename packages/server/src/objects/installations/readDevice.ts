import { CountersignError, longest, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import { refuseLong } from '../../context/limits.ts'
import type { Access } from '../../roles/Access.ts'
import type { DeviceIds } from './Device.ts'

/** What was sent, with what tells the device apart in one spelling. A client that says nothing speaks of itself. */
export function readDevice(
  caller: Caller,
  input: WireFields,
  access: Access,
  isUpdate = false,
): { fields: WireFields; ids: DeviceIds } {
  const fields = { ...input }
  const own = isUpdate || access.isMaster ? undefined : caller.installationId
  const installationId = readText('installationId', fields.installationId ?? own)?.toLowerCase()
  const token = readText('deviceToken', fields.deviceToken)
  // Tokens of Apple's are hexadecimal: the case says nothing.
  const deviceToken = token?.length === 64 ? token.toLowerCase() : token
  const deviceType = readText('deviceType', fields.deviceType)
  if (installationId !== undefined) fields.installationId = installationId
  if (deviceToken !== undefined) fields.deviceToken = deviceToken
  return { fields, ids: { installationId, deviceToken, deviceType } }
}

function readText(name: keyof DeviceIds, value: WireValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '') {
    refuseLong(name, value, longest[name])
    return value
  }
  // A delete, or a value of another kind: what tells devices apart is a text.
  throw new CountersignError('IncorrectType', `schema mismatch for _Installation.${name}; expected String`)
}
