'use client'

import { defineSharedReading } from '../../core/readings/defineReading.ts'
import { request } from '../../core/session/request.ts'
import { decode } from '../../core/values/decode.ts'
import type { FieldValue } from '../../core/values/FieldValue.ts'
import { useClient } from '../client/useClient.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

/** Settings of the application by name. */
export type ApplicationConfig = { readonly [name: string]: FieldValue | undefined }

const configReading = /*#__PURE__*/ defineSharedReading(
  (_: undefined) => ({ getConfig: {} }),
  async (client, _, options) => decode((await request(client, 'getConfig', {}, options)).params) as ApplicationConfig,
)

/**
 * Settings that the operator gives to every client, such as switches of new features. Settings for the master key alone
 * are not among them.
 *
 * @example
 * const config = useConfig({ refetchOnFocus: true })
 * if (config.status === 'success' && config.data.newCheckout === true) return <NewCheckout />
 */
export function useConfig<Selected = ApplicationConfig>(
  options?: ReadOptions<ApplicationConfig, Selected>,
): UseAsync<Selected> {
  return useReading(configReading(useClient(), undefined), options)
}
