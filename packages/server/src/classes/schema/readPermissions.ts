import { type ClassPermissions, CountersignError, type FieldRecord, type WireValue } from '@countersign/protocol'
import { defaultFieldNames } from '../fieldNames.ts'

type Fields = { [name: string]: FieldRecord }
type Entries = { [key: string]: WireValue }

const operations = new Set(['find', 'get', 'count', 'create', 'update', 'delete', 'addField'])
const pointerLists = new Set(['readUserFields', 'writeUserFields'])
const roleEntity = /^role:./
const fieldEntity = /^userField:./

/** Checks class-level permissions against the fields of the class. `userId` is what the id of a user looks like. */
export function readPermissions(fields: Fields, userId: RegExp, value: WireValue): ClassPermissions {
  if (!isRecord(value)) refuse(`${show(value)} is not a valid value for class level permissions - must be an object`)
  for (const [key, entry] of Object.entries(value)) {
    if (pointerLists.has(key)) checkPointerList(fields, key, entry)
    else if (key === 'protectedFields') checkProtected(fields, userId, entry)
    else if (operations.has(key)) checkOperation(fields, userId, key, entry)
    else refuse(`${key.slice(0, 100)} is not a valid operation for class level permissions`)
  }
  return value as ClassPermissions
}

function checkPointerList(fields: Fields, key: string, entry: WireValue): void {
  if (!Array.isArray(entry)) {
    refuse(`'${show(entry)}' is not a valid value for class level permissions ${key} - must be an array`)
  }
  for (const name of entry) checkPointer(fields, key, name)
}

function checkPointer(fields: Fields, key: string, name: WireValue): void {
  const field = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field?.type === 'Array' || (field?.type === 'Pointer' && field.targetClass === '_User')) return
  refuse(`'${show(name)}' is not a valid column for class level pointer permissions ${key}`)
}

function checkOperation(fields: Fields, userId: RegExp, key: string, entry: WireValue): void {
  if (!isRecord(entry)) {
    refuse(`'${show(entry)}' is not a valid value for class level permissions ${key} - must be an object`)
  }
  for (const [entity, permit] of Object.entries(entry)) {
    if (entity === 'pointerFields') {
      if (!Array.isArray(permit)) {
        refuse(`'${show(permit)}' is not a valid value for ${key}[${entity}] - expected an array.`)
      }
      for (const name of permit) checkPointer(fields, key, name)
      continue
    }
    const known = entity === '*' || entity === 'requiresAuthentication' || roleEntity.test(entity)
    if (!known && !userId.test(entity)) refuseKey(entity)
    if (permit !== true) {
      const shown = show(permit)
      refuse(`'${shown}' is not a valid value for class level permissions ${key}:${entity}:${shown}`)
    }
  }
}

function checkProtected(fields: Fields, userId: RegExp, entry: WireValue): void {
  if (!isRecord(entry)) {
    refuse(`'${show(entry)}' is not a valid value for class level permissions protectedFields - must be an object`)
  }
  for (const [entity, names] of Object.entries(entry)) {
    const known = entity === '*' || entity === 'authenticated' || roleEntity.test(entity) || fieldEntity.test(entity)
    if (!known && !userId.test(entity)) refuseKey(entity)
    if (!Array.isArray(names)) {
      refuse(`'${show(names)}' is not a valid value for protectedFields[${entity}] - expected an array.`)
    }
    for (const name of names) {
      if (typeof name === 'string' && defaultFieldNames.has(name))
        refuse(`Default field '${name}' can not be protected`)
      if (typeof name !== 'string' || !Object.hasOwn(fields, name)) {
        refuse(`Field '${show(name)}' in protectedFields:${entity} does not exist`)
      }
    }
  }
}

function isRecord(value: WireValue): value is Entries {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function refuseKey(entity: string): never {
  refuse(`'${entity.slice(0, 100)}' is not a valid key for class level permissions`)
}

function refuse(message: string): never {
  throw new CountersignError('InvalidJson', message)
}

function show(value: WireValue): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)
}
