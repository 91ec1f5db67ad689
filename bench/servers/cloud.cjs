/* global Parse */

/** Function of the workload `functionCall`, in the dialect that both servers run. */
Parse.Cloud.define('addPoints', ({ params, user }) => ({ sum: params.left + params.right, user: user.id }))
