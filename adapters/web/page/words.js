// The page's own words. What the bot says comes from the bot.

const ru = {
  brand: "Зевака",
  joinTitle: "Садитесь играть",
  joinHint: "Имя увидят все в комнате. За одним компьютером можно играть и вместе: каждая вкладка — отдельный игрок.",
  joinGo: "Войти",
  meTitle: "Имя и оформление",
  name: "Как вас зовут?",
  suggested: "Имена на выбор",
  names: ["Аня", "Боря", "Вика", "Гриша"],
  save: "Сохранить",
  cancel: "Отмена",
  settings: "Имя, язык, оформление",
  lang: "Язык",
  theme: "Оформление",
  themes: { auto: "Как в системе", light: "Светлое", dark: "Тёмное" },
  keys: "Клавиши 1–9 нажимают кнопки стола",
  channels: "Залы",
  channelNames: ["Зал", "У окна", "Терраса"],
  unread: "непрочитанных: {n}",
  people: "Здесь: {names}",
  nobody: "Здесь пока никого",
  you: "вы",
  table: "Стол",
  log: "Разговор",
  emptyTitle: "Стол свободен",
  emptyText: "Откройте игру — и зовите остальных.",
  putAway: "Убрать со стола",
  lineLabel: "Сообщение или команда",
  linePlaceholder: "Сообщение или /команда",
  commands: "Команды",
  send: "Отправить",
  newest: "К новым сообщениям ↓",
  onlyYou: "Видите только вы",
  dismiss: "Убрать",
  back: "рубашка",
  lost: "Связь прервалась. Подключаюсь снова…",
  errors: {
    lost: "Не дошло: нет связи с комнатой. Попробуйте ещё раз.",
    host: "Комната открыта под другим адресом. Зайдите по адресу, который она напечатала при запуске.",
    origin: "Комната принимает сообщения только со своей страницы. Обновите страницу.",
    json: "Комната не поняла сообщение. Обновите страницу.",
    big: "Слишком длинное сообщение.",
    long: "Слишком длинное сообщение: не больше 2000 знаков.",
    empty: "Пустое сообщение не отправить.",
    tab: "Комната не узнала эту вкладку. Обновите страницу.",
    name: "Напишите имя, которое можно прочитать.",
    channel: "Такого зала в комнате нет.",
    token: "Эта кнопка испорчена. Нажмите такую же на столе.",
    full: "В комнате слишком много открытых вкладок. Закройте лишние.",
    closed: "Комната закрывается.",
    broken: "Что-то сломалось. Попробуйте ещё раз.",
  },
};

const pl = {
  brand: "Zewaka",
  joinTitle: "Siadaj do gry",
  joinHint: "Imię zobaczą wszyscy w pokoju. Przy jednym komputerze też można grać razem: każda karta przeglądarki to osobny gracz.",
  joinGo: "Wchodzę",
  meTitle: "Imię i wygląd",
  name: "Jak masz na imię?",
  suggested: "Imiona do wyboru",
  names: ["Ania", "Bartek", "Celina", "Darek"],
  save: "Zapisz",
  cancel: "Anuluj",
  settings: "Imię, język, wygląd",
  lang: "Język",
  theme: "Wygląd",
  themes: { auto: "Jak w systemie", light: "Jasny", dark: "Ciemny" },
  keys: "Klawisze 1–9 naciskają przyciski stołu",
  channels: "Sale",
  channelNames: ["Sala", "Przy oknie", "Taras"],
  unread: "nieprzeczytane: {n}",
  people: "Są tu: {names}",
  nobody: "Na razie nikogo tu nie ma",
  you: "ty",
  table: "Stół",
  log: "Rozmowa",
  emptyTitle: "Stół jest wolny",
  emptyText: "Otwórz grę i zawołaj resztę.",
  putAway: "Sprzątnij ze stołu",
  lineLabel: "Wiadomość lub polecenie",
  linePlaceholder: "Wiadomość lub /polecenie",
  commands: "Polecenia",
  send: "Wyślij",
  newest: "Do nowych wiadomości ↓",
  onlyYou: "Widzisz to tylko ty",
  dismiss: "Schowaj",
  back: "zakryta",
  lost: "Połączenie przerwane. Łączę ponownie…",
  errors: {
    lost: "Nie doszło: brak połączenia z pokojem. Spróbuj jeszcze raz.",
    host: "Pokój ma inny adres. Wejdź pod adresem, który wypisał przy uruchomieniu.",
    origin: "Pokój przyjmuje wiadomości tylko ze swojej strony. Odśwież stronę.",
    json: "Pokój nie zrozumiał wiadomości. Odśwież stronę.",
    big: "Wiadomość jest za długa.",
    long: "Wiadomość jest za długa: najwyżej 2000 znaków.",
    empty: "Pustej wiadomości nie da się wysłać.",
    tab: "Pokój nie poznaje tej karty przeglądarki. Odśwież stronę.",
    name: "Wpisz imię, które da się przeczytać.",
    channel: "Nie ma takiej sali.",
    token: "Ten przycisk jest uszkodzony. Naciśnij taki sam na stole.",
    full: "Za dużo otwartych kart przeglądarki. Zamknij niepotrzebne.",
    closed: "Pokój się zamyka.",
    broken: "Coś się zepsuło. Spróbuj jeszcze raz.",
  },
};

const en = {
  brand: "Zevaka",
  joinTitle: "Take a seat",
  joinHint: "Everybody in the room sees your name. You can play together on one computer, too: each tab is a player of its own.",
  joinGo: "Come in",
  meTitle: "Name and appearance",
  name: "What’s your name?",
  suggested: "Some names",
  names: ["Ann", "Boris", "Vera", "Greg"],
  save: "Save",
  cancel: "Cancel",
  settings: "Name, language, appearance",
  lang: "Language",
  theme: "Appearance",
  themes: { auto: "As the system", light: "Light", dark: "Dark" },
  keys: "Keys 1–9 press the table’s buttons",
  channels: "Rooms",
  channelNames: ["Hall", "Window", "Terrace"],
  unread: "{n} unread",
  people: "Here: {names}",
  nobody: "Nobody is here yet",
  you: "you",
  table: "Table",
  log: "Talk",
  emptyTitle: "The table is free",
  emptyText: "Open a game and call the others over.",
  putAway: "Clear the table",
  lineLabel: "Message or command",
  linePlaceholder: "Message or /command",
  commands: "Commands",
  send: "Send",
  newest: "To the newest messages ↓",
  onlyYou: "Only you see this",
  dismiss: "Dismiss",
  back: "face down",
  lost: "Connection lost. Reconnecting…",
  errors: {
    lost: "That didn’t get through: no connection to the room. Please try again.",
    host: "The room goes by another address. Open the one it printed when it started.",
    origin: "The room takes messages from its own page only. Please reload.",
    json: "The room didn’t understand that message. Please reload the page.",
    big: "That message is too long.",
    long: "That message is too long: 2000 characters at most.",
    empty: "An empty message can’t be sent.",
    tab: "The room doesn’t know this tab. Please reload the page.",
    name: "Please write a name that can be read.",
    channel: "There is no such channel here.",
    token: "This button is damaged. Press the same one on the table.",
    full: "Too many tabs are open in this room. Please close some.",
    closed: "The room is closing.",
    broken: "Something broke. Please try again.",
  },
};

const all = { ru, pl, en };

export const languages = { ru: "Русский", pl: "Polski", en: "English" };

// speak is the words of a language; of English, if we don't speak it.
export function speak(lang) {
  return all[lang] || en;
}

// known is the first of these tags that we speak.
export function known(tags) {
  for (const tag of tags) {
    const short = tag.toLowerCase().split("-")[0];
    if (all[short]) return short;
    if (short === "be" || short === "uk" || short === "kk") return "ru";
  }
  return "en";
}

// say puts values into a phrase.
export function say(phrase, values) {
  return phrase.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

// label writes the words into every element that names one.
export function label(root, words) {
  for (const el of root.querySelectorAll("[data-t]")) el.textContent = words[el.dataset.t];
  for (const el of root.querySelectorAll("[data-t-label]")) el.setAttribute("aria-label", words[el.dataset.tLabel]);
  for (const el of root.querySelectorAll("[data-t-placeholder]")) el.placeholder = words[el.dataset.tPlaceholder];
}
