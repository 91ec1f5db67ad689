import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: '用户',
  verifySubject: '请确认你在 {app} 的电子邮箱',
  verifyText: '{name}，你好：\n\n请确认这是你的电子邮箱：\n\n{link}\n\n如果这不是你的请求，可以忽略此邮件。\n',
  resetSubject: '为 {app} 设置新密码',
  resetText:
    '{name}，你好：\n\n请打开此链接设置新密码：\n\n{link}\n\n如果这不是你的请求，可以忽略此邮件；你的密码不会改变。\n',
  resetTextAlone:
    '{name}，你好：\n\n请通过此链接设置新密码：\n\n{link}\n\n此邮箱地址从未在登录账户的状态下验证过。因此，新密码将成为唯一的登录方式：账户中的钱包、通行密钥和恢复码都会被移除。\n\n如果这不是你本人的请求，请忽略此邮件；一切保持不变。\n',
  newDeviceSubject: '有新设备登录了你在 {app} 的账户',
  newDeviceText:
    '{name}，你好：\n\n一台从未出现过的设备登录了你的账户。\n\n设备：{device}\n地址：{address}\n时间：{time}\n\n如果是你本人，无需任何操作。如果不是，请在这里告诉我们：\n\n{link}\n',
  unknown: '未知',
  changeSubject: '你在 {app} 的账户有变动',
  changeText: '{name}，你好：\n\n{what}\n\n时间：{time}。如果不是你本人，请登录，检查你的登录方式，并结束其他会话。\n',
  walletAdded: '钱包 {address} 已添加到你的账户，从现在起可以用它登录。',
  walletRemoved: '钱包 {address} 已从你的账户移除。',
  walletRestored: '钱包 {address} 已恢复到你的账户。',
  passkeyAdded: '你的账户添加了一个通行密钥。',
  passkeyRemoved: '你的账户移除了一个通行密钥。',
  mergedInto: '账户 {from} 已并入你的账户 {into}。24 小时内可以撤销。',
  mergedAway: '你的账户 {from} 已并入账户 {into}，不再存在。24 小时内可以撤销。',
  mergeUndone: '你的账户与另一个账户的合并已撤销。',
  recoveryCodesMade: '已生成新的恢复码。之前的恢复码不再有效。',
  recoveryCodeUsed: '有人用恢复码登录了。该恢复码不能再次使用。',
  alertsOff: '新设备提醒已关闭。',
  emailChangedSubject: '此邮箱地址已从你在 {app} 的账户中移除',
  emailChangedText:
    '{name}，你好：\n\n此邮箱地址已于 {time} 从你的账户中移除，或被换成了另一个地址。\n\n如果是你本人操作，则无需处理。如果不是，请在此取回你的账户：\n\n{link}\n\n此链接在 {until} 之前有效。它会恢复此地址，让所有设备退出登录，并移除此后添加的登录方式。\n',
  emailChangedNotice:
    '{name}，你好：\n\n此邮箱地址已于 {time} 从你的账户中移除，或被换成了另一个地址。\n\n如果不是你本人操作，请登录并检查你的登录方式，然后结束其他会话。\n',
  emailRestored:
    '此邮箱地址已重新属于你的账户。所有设备均已退出登录，密码以及更改地址之后添加的所有登录方式都已被移除。',
  passwordReset: '已通过发送给你的链接设置了新密码。之前的恢复码不再有效。',
  passwordResetAlone:
    '已通过发送给你的链接设置了新密码。它现在是唯一的登录方式：由于此地址从未在登录账户的状态下验证过，钱包、通行密钥和恢复码都已被移除。',
  deletionScheduled: '你的账户将于 {time} 被永久删除。在此之前，登录即可恢复。',
  accountRestored: '你的账户已恢复，不会再被删除。',
}
