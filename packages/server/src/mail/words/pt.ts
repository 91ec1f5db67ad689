import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: 'usuário',
  verifySubject: 'Confirme seu endereço de e-mail para {app}',
  verifyText:
    'Olá, {name},\n\nConfirme que este é o seu endereço de e-mail:\n\n{link}\n\nSe você não pediu isso, pode ignorar esta mensagem.\n',
  resetSubject: 'Escolha uma nova senha para {app}',
  resetText:
    'Olá, {name},\n\nUse este link para escolher uma nova senha:\n\n{link}\n\nSe você não pediu isso, pode ignorar esta mensagem; sua senha continua a mesma.\n',
  resetTextAlone:
    'Olá, {name},\n\nSiga este link para escolher uma nova senha:\n\n{link}\n\nEste endereço nunca foi confirmado a partir da conta. Por isso, a nova senha será a única forma de entrar: as carteiras, as chaves de acesso e os códigos de recuperação são removidos da conta.\n\nSe você não pediu isso, pode ignorar esta mensagem; tudo continua como está.\n',
  newDeviceSubject: 'Um novo dispositivo entrou na sua conta em {app}',
  newDeviceText:
    'Olá, {name},\n\nUm dispositivo ainda desconhecido entrou na sua conta.\n\nDispositivo: {device}\nEndereço: {address}\nHora: {time}\n\nSe foi você, não há nada a fazer. Se não, avise aqui:\n\n{link}\n',
  unknown: 'desconhecido',
  changeSubject: 'Uma mudança na sua conta em {app}',
  changeText:
    'Olá, {name},\n\n{what}\n\nIsso foi às {time}. Se não foi você, entre, confira suas formas de entrar e encerre as outras sessões.\n',
  walletAdded: 'A carteira {address} foi adicionada à sua conta. A partir de agora ela pode entrar nela.',
  walletRemoved: 'A carteira {address} foi removida da sua conta.',
  walletRestored: 'A carteira {address} voltou à sua conta.',
  passkeyAdded: 'Uma chave de acesso foi adicionada à sua conta.',
  passkeyRemoved: 'Uma chave de acesso foi removida da sua conta.',
  mergedInto: 'A conta {from} foi juntada à sua conta {into}. Isso pode ser desfeito por 24 horas.',
  mergedAway: 'Sua conta {from} foi juntada à conta {into} e não existe mais. Isso pode ser desfeito por 24 horas.',
  mergeUndone: 'Uma junção da sua conta com outra foi desfeita.',
  recoveryCodesMade: 'Novos códigos de recuperação foram criados. Os anteriores não funcionam mais.',
  recoveryCodeUsed: 'Um código de recuperação foi usado para entrar. Ele não funciona uma segunda vez.',
  alertsOff: 'Os alertas de novos dispositivos foram desativados.',
  emailChangedSubject: 'Este endereço de e-mail foi removido da sua conta em {app}',
  emailChangedText:
    'Olá, {name},\n\nEste endereço de e-mail foi removido da sua conta, ou trocado por outro, às {time}.\n\nSe foi você, não há nada a fazer. Se não foi, recupere sua conta aqui:\n\n{link}\n\nO link funciona até {until}. Ele traz este endereço de volta, encerra todas as sessões e remove o que foi adicionado desde então para entrar.\n',
  emailChangedNotice:
    'Olá, {name},\n\nEste endereço de e-mail foi removido da sua conta, ou trocado por outro, às {time}.\n\nSe não foi você, entre, confira suas formas de acesso e encerre as outras sessões.\n',
  emailRestored:
    'Este endereço de e-mail pertence de novo à sua conta. Todas as sessões foram encerradas, e foram removidos a senha e tudo o que foi adicionado para entrar desde que o endereço foi trocado.',
  passwordReset:
    'Uma nova senha foi escolhida por um link enviado a você. Os códigos de recuperação anteriores não funcionam mais.',
  passwordResetAlone:
    'Uma nova senha foi escolhida por um link enviado a você. Agora ela é a única forma de entrar: as carteiras, as chaves de acesso e os códigos de recuperação foram removidos, pois este endereço nunca tinha sido confirmado a partir da conta.',
  deletionScheduled:
    'A sua conta será excluída definitivamente às {time}. Até lá, você pode recuperá-la entrando nela.',
  accountRestored: 'A sua conta foi recuperada. Ela não será mais excluída.',
}
