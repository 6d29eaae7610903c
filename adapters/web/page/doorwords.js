// What the page behind a door says beside what every page does.

const doorWordsEn = {
  opening: "Opening the table…",
  tables: "Tables here",
  around: "Tables",
  noTables: "There is no open table here. Open one from the chat, with /zevaka, and it will appear.",
  leave: "Back to the chat",
  retry: "Try again",
  file: "This answer is a file: ask for it in the chat.",
  why: {
    "door-login": "We couldn’t tell who you are. Close this window and open the table again from the chat.",
    "door-old": "This window was opened too long ago, or with a link that was used already. Open the table again from the chat.",
    "door-start": "This link doesn’t lead to a table of this bot. Open the table again from the chat, with the button under it.",
    "door-place": "We couldn’t confirm that you are in this chat. Join the chat, then open the table from there.",
    "door-away": "The service that says who you are doesn’t answer. Trying again…",
    full: "Too many are here now. Close windows that you don’t need; trying again…",
    fast: "That was too fast. Trying again…",
    closed: "The table is being restarted. Trying again…",
    broken: "Something went wrong. Open the table again from the chat.",
    nobody: "This page shows the live table inside the chat’s own app. Open the table there, with the button under it.",
    consent: "Discord wasn’t allowed to say who you are. Without it there is no table: try again and press “Authorize”.",
    ended: "Discord has closed this activity. Open the table again from the chat.",
  },
};

const doorWordsRu = {
  opening: "Открываем стол…",
  tables: "Столы здесь",
  around: "Столы",
  noTables: "Открытых столов здесь нет. Откройте стол в чате командой /zevaka, и он появится.",
  leave: "Вернуться в чат",
  retry: "Попробовать ещё раз",
  file: "Ответ на это — файл: запросите его в чате.",
  why: {
    "door-login": "Не удалось узнать, кто вы. Закройте это окно и откройте стол из чата заново.",
    "door-old": "Это окно открыто слишком давно или по ссылке, которой уже пользовались. Откройте стол из чата заново.",
    "door-start": "Эта ссылка не ведёт к столу этого бота. Откройте стол из чата заново: кнопка под ним.",
    "door-place": "Не удалось подтвердить, что вы состоите в этом чате. Вступите в чат и откройте стол оттуда.",
    "door-away": "Служба, которая сообщает, кто вы, не отвечает. Пробуем ещё раз…",
    full: "Сейчас здесь слишком много людей. Закройте лишние окна; пробуем ещё раз…",
    fast: "Слишком быстро. Пробуем ещё раз…",
    closed: "Стол перезапускается. Пробуем ещё раз…",
    broken: "Что-то сломалось. Откройте стол из чата заново.",
    nobody: "Эта страница показывает живой стол внутри приложения, в котором идёт чат. Откройте стол там: кнопка под ним.",
    consent: "Discord не получил разрешения сообщить, кто вы. Без этого стола не будет: попробуйте ещё раз и нажмите «Авторизовать».",
    ended: "Discord закрыл эту активность. Откройте стол из чата заново.",
  },
};

const doorWordsPl = {
  opening: "Otwieramy stół…",
  tables: "Stoły tutaj",
  around: "Stoły",
  noTables: "Nie ma tu otwartych stołów. Otwórz stół na czacie poleceniem /zevaka, a pojawi się tutaj.",
  leave: "Wróć do czatu",
  retry: "Spróbuj jeszcze raz",
  file: "Odpowiedzią jest plik: poproś o niego na czacie.",
  why: {
    "door-login": "Nie udało się ustalić, kim jesteś. Zamknij to okno i otwórz stół z czatu jeszcze raz.",
    "door-old": "To okno otwarto zbyt dawno albo linkiem, którego już użyto. Otwórz stół z czatu jeszcze raz.",
    "door-start": "Ten link nie prowadzi do stołu tego bota. Otwórz stół z czatu jeszcze raz, przyciskiem pod nim.",
    "door-place": "Nie udało się potwierdzić, że jesteś na tym czacie. Dołącz do czatu i otwórz stół stamtąd.",
    "door-away": "Usługa, która potwierdza, kim jesteś, nie odpowiada. Próbujemy ponownie…",
    full: "Jest tu teraz zbyt wiele osób. Zamknij niepotrzebne okna; próbujemy ponownie…",
    fast: "Za szybko. Próbujemy ponownie…",
    closed: "Stół uruchamia się ponownie. Próbujemy jeszcze raz…",
    broken: "Coś się zepsuło. Otwórz stół z czatu jeszcze raz.",
    nobody: "Ta strona pokazuje stół na żywo w aplikacji, w której jest czat. Otwórz stół tam, przyciskiem pod nim.",
    consent: "Discord nie dostał zgody, by powiedzieć, kim jesteś. Bez tego nie ma stołu: spróbuj jeszcze raz i naciśnij „Autoryzuj”.",
    ended: "Discord zamknął tę aktywność. Otwórz stół z czatu jeszcze raz.",
  },
};

// doorWords are the words of a language.
export const doorWords = (lang) => ({ ru: doorWordsRu, pl: doorWordsPl })[lang] || doorWordsEn;
