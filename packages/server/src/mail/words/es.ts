import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: 'usuario',
  verifySubject: 'Confirma tu dirección de correo para {app}',
  verifyText:
    'Hola, {name}:\n\nConfirma que esta es tu dirección de correo:\n\n{link}\n\nSi no lo has pedido tú, puedes ignorar este mensaje.\n',
  resetSubject: 'Elige una contraseña nueva para {app}',
  resetText:
    'Hola, {name}:\n\nSigue este enlace para elegir una contraseña nueva:\n\n{link}\n\nSi no lo has pedido tú, puedes ignorar este mensaje; tu contraseña no cambia.\n',
  resetTextAlone:
    'Hola, {name}:\n\nSigue este enlace para elegir una contraseña nueva:\n\n{link}\n\nEsta dirección nunca se confirmó desde la cuenta. Por eso, la contraseña nueva será la única forma de iniciar sesión: se eliminan de la cuenta las wallets, las llaves de acceso y los códigos de recuperación.\n\nSi no lo has pedido, puedes ignorar este mensaje; todo sigue como está.\n',
  newDeviceSubject: 'Un dispositivo nuevo ha iniciado sesión en tu cuenta de {app}',
  newDeviceText:
    'Hola, {name}:\n\nUn dispositivo que no conocíamos ha iniciado sesión en tu cuenta.\n\nDispositivo: {device}\nDirección: {address}\nHora: {time}\n\nSi has sido tú, no tienes que hacer nada. Si no, dilo aquí:\n\n{link}\n',
  unknown: 'desconocido',
  changeSubject: 'Un cambio en tu cuenta de {app}',
  changeText:
    'Hola, {name}:\n\n{what}\n\nHa ocurrido a las {time}. Si no has sido tú, inicia sesión, revisa tus formas de iniciar sesión y cierra las demás sesiones.\n',
  walletAdded: 'Se ha añadido la wallet {address} a tu cuenta. A partir de ahora puede iniciar sesión en ella.',
  walletRemoved: 'Se ha quitado la wallet {address} de tu cuenta.',
  walletRestored: 'La wallet {address} vuelve a estar en tu cuenta.',
  passkeyAdded: 'Se ha añadido una llave de acceso a tu cuenta.',
  passkeyRemoved: 'Se ha quitado una llave de acceso de tu cuenta.',
  mergedInto: 'La cuenta {from} se ha unido a tu cuenta {into}. Se puede deshacer durante 24 horas.',
  mergedAway: 'Tu cuenta {from} se ha unido a la cuenta {into} y ya no existe. Se puede deshacer durante 24 horas.',
  mergeUndone: 'Se ha deshecho la unión de tu cuenta con otra.',
  recoveryCodesMade: 'Se han creado códigos de recuperación nuevos. Los anteriores ya no funcionan.',
  recoveryCodeUsed: 'Se ha usado un código de recuperación para iniciar sesión. No funciona una segunda vez.',
  alertsOff: 'Se han desactivado los avisos de dispositivos nuevos.',
  emailChangedSubject: 'Esta dirección de correo se ha quitado de tu cuenta en {app}',
  emailChangedText:
    'Hola, {name}:\n\nEsta dirección de correo se ha quitado de tu cuenta, o se ha cambiado por otra, a las {time}.\n\nSi has sido tú, no hay nada que hacer. Si no, recupera tu cuenta aquí:\n\n{link}\n\nEl enlace funciona hasta {until}. Devuelve esta dirección, cierra todas las sesiones y elimina lo que se haya añadido desde entonces para iniciar sesión.\n',
  emailChangedNotice:
    'Hola, {name}:\n\nEsta dirección de correo se ha quitado de tu cuenta, o se ha cambiado por otra, a las {time}.\n\nSi no has sido tú, inicia sesión, revisa tus métodos de acceso y cierra las demás sesiones.\n',
  emailRestored:
    'Esta dirección de correo vuelve a pertenecer a tu cuenta. Se han cerrado todas las sesiones y se han eliminado la contraseña y todo lo que se añadió para iniciar sesión desde que se cambió la dirección.',
  passwordReset:
    'Se ha elegido una contraseña nueva mediante un enlace que se te envió. Los códigos de recuperación anteriores ya no sirven.',
  passwordResetAlone:
    'Se ha elegido una contraseña nueva mediante un enlace que se te envió. Ahora es la única forma de iniciar sesión: se han eliminado las wallets, las llaves de acceso y los códigos de recuperación, porque esta dirección nunca se había confirmado desde la cuenta.',
  deletionScheduled:
    'Tu cuenta se eliminará definitivamente a las {time}. Hasta entonces puedes recuperarla iniciando sesión.',
  accountRestored: 'Tu cuenta se ha recuperado. Ya no se eliminará.',
}
