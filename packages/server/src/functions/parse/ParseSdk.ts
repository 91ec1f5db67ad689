import type { WireFields } from '@countersign/protocol'

/** Of an object of the public client, what the server needs. */
export type ParseObject = {
  id?: string
  className: string
  get(name: string): unknown
  set(name: string, value: unknown, options?: { ignoreValidation?: boolean }): unknown
  unset(name: string): unknown
  revert(name: string): void
  setACL(acl: unknown): unknown
  existed(): boolean
  toJSON(): WireFields
  /** The changes that are not saved yet, as they would be sent. */
  _getSaveJSON(): WireFields
  _toFullJSON(seen: unknown[]): WireFields
  _setExisted(existed: boolean): void
}

export type ParseQuery = { withJSON(json: WireFields): ParseQuery; toJSON(): WireFields }

/** The public client's build for Node, as far as the server touches it. The rest is for the application's code. */
export type ParseSdk = {
  Object: { fromJSON(json: WireFields): ParseObject; createWithoutData?(id: string): ParseObject } & (new (
    className: string,
  ) => ParseObject)
  Query: new (className: string) => ParseQuery
  ACL: new (acl: unknown) => unknown
  Error: new (code: number, message: string) => Error & { code: number }
  File: { fromJSON(json: object): unknown }
  Cloud: { [name: string]: unknown }
  CoreManager: { getRESTController(): { ajax: Ajax }; getFileController(): { saveBinary?: unknown } }
  serverURL: string
  initialize(appId: string, javascriptKey: string | undefined, masterKey: string): void
  _decode(name: null, value: unknown): unknown
  _encode(value: unknown): unknown
}

/** How the client sends a request; rejects with what the server answered. */
export type Ajax = (
  method: string,
  url: string,
  body: string,
  headers?: { [name: string]: string },
) => Promise<{ status: number; response: unknown; headers: Record<string, string> }>
