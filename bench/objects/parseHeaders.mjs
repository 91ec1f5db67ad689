/**
 * A request in the Parse dialect as the signed-in user.
 *
 * @param {import('../types.d.ts').Target} target
 * @param {import('../types.d.ts').Given} given
 */
export const parseHeaders = ({ applicationId }, { account }) => ({
  'X-Parse-Application-Id': applicationId,
  'X-Parse-Session-Token': account.token,
})
