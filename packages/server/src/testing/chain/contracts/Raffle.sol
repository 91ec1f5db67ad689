// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What courses have their students write: people pay to enter, and one of them gets it all.
contract Raffle {
    error Raffle__SendMoreToEnterRaffle();
    error Raffle__NobodyEntered();
    error Raffle__TransferFailed();

    event RaffleEnter(address indexed player);
    event WinnerPicked(address indexed player);

    uint256 private s_entranceFee = 0.01 ether;
    address payable[] private s_players;
    address private s_recentWinner;

    function enterRaffle() external payable {
        if (msg.value < s_entranceFee) revert Raffle__SendMoreToEnterRaffle();
        s_players.push(payable(msg.sender));
        emit RaffleEnter(msg.sender);
    }

    function drawWinner() external {
        if (s_players.length == 0) revert Raffle__NobodyEntered();
        address payable winner = s_players[block.prevrandao % s_players.length];
        s_recentWinner = winner;
        s_players = new address payable[](0);
        (bool success,) = winner.call{value: address(this).balance}("");
        if (!success) revert Raffle__TransferFailed();
        emit WinnerPicked(winner);
    }

    function getEntranceFee() external view returns (uint256) {
        return s_entranceFee;
    }

    function getNumberOfPlayers() external view returns (uint256) {
        return s_players.length;
    }

    function getPlayer(uint256 index) external view returns (address) {
        return s_players[index];
    }

    function getRecentWinner() external view returns (address) {
        return s_recentWinner;
    }
}
